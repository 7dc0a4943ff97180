import type { ComponentPropsWithRef } from "react";

export function Card({ className, ...rest }: ComponentPropsWithRef<"article">) {
  return <article {...rest} className={["card", className].filter(Boolean).join(" ")} />;
}
