/** One row as text: cells with tabs between them, line breaks inside a cell as spaces, empty cells at the end left out. */
export function rowText(cells: readonly string[]): string {
  return cells
    .map((cell) => cell.replace(/[\t\r\n\v\f]+/g, " ").trim())
    .join("\t")
    .replace(/\t+$/, "");
}

/** Empty columns that every row starts with say nothing; at most this many empty cells are kept between two full ones. */
export const maxGap = 64;
