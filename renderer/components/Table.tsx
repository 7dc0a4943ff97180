import type { ReactNode } from "react";

export interface Column<Row> {
  readonly id: string;
  readonly header: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  /** A CSS width; columns without one share the rest. */
  readonly width?: number | string;
  readonly align?: "left" | "right";
}

export interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
  readonly selected?: (row: Row) => boolean;
  readonly onOpen?: (row: Row) => void;
}

/** A table of up to a few hundred rows; longer ones go through `VirtualList`. */
export function Table<Row>({ label, columns, rows, rowKey, selected, onOpen }: TableProps<Row>) {
  return (
    <table className="tbl" aria-label={label}>
      <colgroup>
        {columns.map((column) => (
          <col key={column.id} style={column.width === undefined ? undefined : { width: column.width }} />
        ))}
      </colgroup>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column.id} scope="col" className={column.align === "right" ? "r" : undefined}>
              {column.header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr
            key={rowKey(row)}
            aria-selected={selected ? selected(row) : undefined}
            onDoubleClick={onOpen ? () => onOpen(row) : undefined}
          >
            {columns.map((column) => (
              <td key={column.id} className={column.align === "right" ? "r num" : undefined}>
                {column.cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
