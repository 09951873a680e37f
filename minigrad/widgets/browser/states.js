// What stands at each step. A frame lists only the marks and labels that differ from the frame
// before it, and null takes one away; here they are added up, no further than somebody looks.

const EVERY = 50; // a sum is kept each so many steps, so that a step back costs little

export class States {
  constructor(frames) {
    this.frames = frames;
    this.kept = new Map([[-1, { marks: new Map(), labels: new Map() }]]);
    this.recent = -1;
  }

  /** `{ marks: Map of key to words, labels: Map of key to Map of slot to text }`; not to be changed. */
  at(step) {
    if (this.kept.has(step)) return this.kept.get(step);
    let from = step - 1;
    while (!this.kept.has(from)) from -= 1;
    let state = copied(this.kept.get(from));
    while (from < step) {
      from += 1;
      change(state.marks, this.frames[from].marks);
      for (const [key, slots] of Object.entries(this.frames[from].labels)) {
        const whole = new Map(state.labels.get(key));
        change(whole, slots);
        state.labels.set(key, whole);
      }
      if (from % EVERY === 0 && from < step) {
        this.kept.set(from, state);
        state = copied(state);
      }
    }
    if (this.recent % EVERY !== 0 && this.recent >= 0) this.kept.delete(this.recent);
    this.kept.set(step, state);
    this.recent = step;
    return state;
  }
}

function copied({ marks, labels }) {
  return { marks: new Map(marks), labels: new Map(labels) };
}

function change(known, changes) {
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) known.delete(key);
    else known.set(key, value);
  }
}
