/** What went wrong on the way, as a typed error. */
import { CredenceError } from "../contract/index.ts";
import { PRIVATE_CODE } from "./guard.ts";

const CERTIFICATE = /^(?:CERT_|ERR_TLS|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_(?:GET_ISSUER|VERIFY)|ERR_SSL)/;

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "the connection was cut",
  EPIPE: "the connection was cut",
  UND_ERR_SOCKET: "the connection was cut",
  UND_ERR_CONNECT_TIMEOUT: "it does not answer",
  UND_ERR_HEADERS_TIMEOUT: "it does not answer",
  UND_ERR_BODY_TIMEOUT: "it stopped in the middle",
  ETIMEDOUT: "it does not answer",
  EHOSTUNREACH: "there is no way to it",
  HPE_INVALID_CONSTANT: "it does not speak HTTP",
  UND_ERR_HEADERS_OVERFLOW: "its answer has too many headers",
  Z_DATA_ERROR: "its answer is damaged",
  Z_BUF_ERROR: "its answer is cut short",
};

/** `online` false means that the machine has no network, which explains everything else. */
export function egressErrorOf(thrown: unknown, url: URL, online: boolean): CredenceError {
  if (thrown instanceof CredenceError) return thrown;
  const code = codeOf(thrown);
  const host = url.host;
  if (code === PRIVATE_CODE) return new CredenceError("egress.private-address", { host }, { cause: thrown });
  if ((thrown instanceof Error && thrown.name === "AbortError") || code === "UND_ERR_ABORTED") {
    return new CredenceError("general.cancelled", {}, { cause: thrown });
  }
  if (code === "ENETUNREACH" || code === "ENETDOWN" || code === "EAI_AGAIN" || (!online && code !== "ECONNREFUSED")) {
    return new CredenceError("egress.offline", { host }, { cause: thrown });
  }
  if (code === "ENOTFOUND") return new CredenceError("egress.host-not-found", { host }, { cause: thrown });
  if (CERTIFICATE.test(code))
    return new CredenceError("egress.bad-certificate", { host, detail: code }, { cause: thrown });
  return new CredenceError(
    "egress.failed",
    { host, detail: WORDS[code] ?? "the connection failed" },
    { cause: thrown },
  );
}

function codeOf(thrown: unknown): string {
  for (let error = thrown, depth = 0; error instanceof Error && depth < 4; error = error.cause, depth++) {
    if ("code" in error && typeof error.code === "string") return error.code;
    if (error instanceof AggregateError && error.errors[0] instanceof Error && "code" in error.errors[0]) {
      return String(error.errors[0].code);
    }
  }
  return "";
}
