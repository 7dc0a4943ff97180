/** Whether a value says anything: an empty list or text sends nothing. */
const says = (value: unknown): boolean =>
  value !== null &&
  value !== undefined &&
  value !== "" &&
  !(Array.isArray(value) && value.length === 0) &&
  !(typeof value === "object" && Object.keys(value as object).length === 0);

/** Names and values of a call, as they would be sent. */
export function ArgumentList({ args }: { readonly args: Readonly<Record<string, unknown>> }) {
  return (
    <dl className="ap-args f12">
      {Object.entries(args)
        .filter(([, value]) => says(value))
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name.replace(/_/g, " ")}</dt>
            <dd>{typeof value === "string" ? value : JSON.stringify(value, null, 1)}</dd>
          </div>
        ))}
    </dl>
  );
}
