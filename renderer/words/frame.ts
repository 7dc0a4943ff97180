export const frame = {
  screens: "Screens",
  news: "New since you were here",
  starting: "Opening your data",
  startFailed: "Credence could not start",
  screenFailed: "This screen could not be shown",
  showFolder: "Show the folder",
  quit: "Quit",
  dropTitle: (count: number) => (count === 1 ? "Drop to add one file" : `Drop to add ${count} files`),
  dropAny: "Drop to add",
  dropNothing: "Credence cannot use this kind of file.",
} as const;
