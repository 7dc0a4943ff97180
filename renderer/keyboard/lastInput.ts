let last = Number.NEGATIVE_INFINITY;
const note = () => {
  last = performance.now();
};
for (const type of ["keydown", "pointerdown"]) document.addEventListener(type, note, true);

/** Milliseconds since the user last pressed a key or a button: focus is never taken from hands that are busy. */
export const msSinceInput = (): number => performance.now() - last;
