/** Proxies as the environment names them: HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY, in either case. */
import { CredenceError } from "../contract/index.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

/** The proxy for an address, or null for a direct connection. Throws `egress.bad-proxy` for one of an unknown kind. */
export function proxyFor(url: URL, env: Environment): string | null {
  const value = (name: string) => env[name.toLowerCase()] || env[name] || null;
  const proxy = (url.protocol === "https:" ? value("HTTPS_PROXY") : value("HTTP_PROXY")) ?? value("ALL_PROXY");
  if (!proxy || bypassed(url, value("NO_PROXY") ?? "")) return null;
  const address = (/^[a-z][a-z0-9+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`).replace(/^socks5h:/i, "socks5:");
  // Going around a proxy that cannot be used would show the site an address that the user meant to hide.
  if (!/^(?:https?|socks5?):/i.test(address) || !URL.canParse(address)) throw new CredenceError("egress.bad-proxy", {});
  return address;
}

/** NO_PROXY: "*", hosts, domains with or without a leading dot, each with an optional port. */
function bypassed(url: URL, list: string): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, "").toLowerCase();
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== "")
    .some((entry) => {
      if (entry === "*") return true;
      const [, name = "", wanted] = /^(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
      if (wanted && wanted !== port) return false;
      const domain = name.replace(/^\*?\./, "");
      return host === domain || host.endsWith(`.${domain}`);
    });
}
