/**
 * Which addresses a request may go to. A name is resolved once, checked, and the connection is made to exactly the
 * addresses that were checked, so that a second answer of the name server (DNS rebinding) reaches nobody.
 */
import { lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { CredenceError } from "../contract/index.ts";
import { isPrivateName, isPublicAddress } from "./addresses.ts";

export type Lookup = (
  host: string,
  options: { readonly all: true; readonly verbatim: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: { address: string; family: number }[]) => void,
) => void;

export const resolveName: Lookup = (host, options, callback) => systemLookup(host, options, callback);

/** The address as a URL that egress accepts. Throws `egress.bad-address`. */
export function parseAddress(address: string): URL {
  let url: URL;
  try {
    url = new URL(address);
  } catch (cause) {
    throw new CredenceError(
      "egress.bad-address",
      { address: clip(address), problem: "it is not a web address" },
      { cause },
    );
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new CredenceError("egress.bad-address", { address: clip(address), problem: "only http and https are used" });
  }
  url.hash = "";
  return url;
}

/** Whether an address names this machine or its own network, as far as can be told without resolving it. */
export function isLocal(url: URL): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  return isIP(host) !== 0 ? !isPublicAddress(host) : isPrivateName(host);
}

/** Refuses names and literal addresses that are not public, before anything is resolved. Throws `egress.private-address`. */
export function refusePrivateHost(url: URL): void {
  if (isLocal(url)) throw new CredenceError("egress.private-address", { host: url.host });
}

/** A lookup for sockets that hands out public addresses only, and fails when the name has any other. */
export function publicLookup(resolve: Lookup): LookupFunction {
  return (host, options, callback) => {
    resolve(host, { all: true, verbatim: true }, (error, addresses) => {
      if (error) return callback(error, "", 4);
      // One private address among public ones is how a name is turned against the machine: refuse them all.
      if (addresses.length === 0 || addresses.some(({ address }) => !isPublicAddress(address))) {
        const refusal: NodeJS.ErrnoException = new Error(`${host} is not a public host`);
        refusal.code = PRIVATE_CODE;
        return callback(refusal, "", 4);
      }
      answer(options.all === true, addresses, callback);
    });
  };
}

/** A lookup for addresses that the user typed: anything goes. */
export function anyLookup(resolve: Lookup): LookupFunction {
  return (host, options, callback) => {
    resolve(host, { all: true, verbatim: true }, (error, addresses) => {
      if (error) return callback(error, "", 4);
      answer(options.all === true, addresses, callback);
    });
  };
}

/** The error code of a refusal inside a socket's lookup. */
export const PRIVATE_CODE = "EPRIVATEADDRESS";

function answer(
  all: boolean,
  addresses: { address: string; family: number }[],
  callback: Parameters<LookupFunction>[2],
) {
  if (all) callback(null, addresses);
  else callback(null, addresses[0]!.address, addresses[0]!.family);
}

function clip(address: string): string {
  return address.length > 120 ? `${address.slice(0, 117)}…` : address;
}
