/** Names and values of a call, as they would be sent. */
export function ArgumentList({ args }: { readonly args: Readonly<Record<string, unknown>> }) {
  return (
    <dl className="ap-args f12">
      {Object.entries(args).map(([name, value]) => (
        <div key={name}>
          <dt>{name.replace(/_/g, " ")}</dt>
          <dd>{typeof value === "string" ? value : JSON.stringify(value, null, 1)}</dd>
        </div>
      ))}
    </dl>
  );
}
