// What time it is: by the clock of this machine, unless that is days wrong. Then the server's clock counts, which
// decides what boards of the day there are.
//
//   hearTime(date)     the server's time, as in the Date of an answer
//   now()              the time, as a Date

const DAY = 86_400_000;

/** Milliseconds to add to this machine's clock. */
let behind = 0;

export function hearTime(date) {
  const by = Date.parse(date) - Date.now();
  if (!Number.isNaN(by)) behind = Math.abs(by) > DAY ? by : 0;
}

export function now() {
  return new Date(Date.now() + behind);
}
