import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Loopback {
  readonly origin: string;
  readonly port: number;
  readonly server: Server;
  /** Every request so far: "GET /path". */
  readonly seen: { line: string; headers: IncomingMessage["headers"]; body: string }[];
  close(): Promise<void>;
}

/** A server on 127.0.0.1 for one test. The handler gets the path and writes the answer. */
export async function loopback(
  handler: (path: string, response: ServerResponse, request: IncomingMessage) => void,
): Promise<Loopback> {
  const seen: Loopback["seen"] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      seen.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
      handler(request.url ?? "/", response, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    server,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
