"""Anomaly mode, which finds the forward line behind a derivative that fails.

The code is in :mod:`minigrad.extras.anomaly_mode`.
"""

from ..extras.anomaly_mode import detect_anomaly, set_detect_anomaly

__all__ = ["detect_anomaly", "set_detect_anomaly"]
