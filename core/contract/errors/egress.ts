import { defineErrors } from "./define.ts";

/** Errors of everything that would leave the machine. */
export const egressErrors = defineErrors({
  "egress.not-allowed": {
    say: (f: { purpose: string; title: string }) =>
      `${f.title} is off, so nothing was sent. You can allow it under Privacy.`,
    retry: "later",
  },
  "egress.cut": {
    say: (_: Record<string, never>) =>
      "The network is cut for Credence, so nothing was sent. You can restore it under Privacy.",
    retry: "later",
  },
  "egress.offline": {
    say: (f: { host: string }) =>
      `This machine has no network, so ${f.host} cannot be reached. Everything on this machine keeps working.`,
    retry: "later",
  },
  "egress.bad-address": {
    say: (f: { address: string; problem: string }) => `The address ${f.address} cannot be used: ${f.problem}.`,
    retry: "never",
  },
  "egress.private-address": {
    say: (f: { host: string }) =>
      `${f.host} lies on this machine or its own network. Credence only goes there for addresses that you typed in yourself.`,
    retry: "never",
  },
  "egress.host-not-found": {
    say: (f: { host: string }) =>
      `There is no host named ${f.host}, or the network is down. Check the address and the connection.`,
    retry: "later",
  },
  "egress.timeout": {
    say: (f: { host: string; seconds: number }) =>
      `${f.host} did not answer within ${f.seconds} seconds. Try again later.`,
    retry: "later",
  },
  "egress.too-large": {
    say: (f: { host: string; limitBytes: number }) =>
      `${f.host} sent more than ${Math.round(f.limitBytes / 1_000_000)} MB, so Credence stopped reading.`,
    retry: "never",
  },
  "egress.too-many-redirects": {
    say: (f: { host: string; limit: number }) =>
      `${f.host} sent Credence in a circle (more than ${f.limit} redirects). Check the address.`,
    retry: "later",
  },
  "egress.bad-certificate": {
    say: (f: { host: string; detail: string }) =>
      `The certificate of ${f.host} cannot be trusted, so nothing was sent. Check the address and this machine's clock.`,
    retry: "later",
  },
  "egress.bad-proxy": {
    say: (_: Record<string, never>) =>
      "The proxy that the environment names cannot be used, so nothing was sent. Set HTTPS_PROXY to an http, https or socks5 address.",
    retry: "later",
  },
  "egress.failed": {
    say: (f: { host: string; detail: string }) => `${f.host} could not be reached: ${f.detail}. Try again later.`,
    retry: "later",
  },
  "egress.status": {
    say: (f: { host: string; status: number }) => `${f.host} refused the request (status ${f.status}).`,
    retry: "later",
  },
});
