import { expect, it } from "vitest";
import { proxyFor } from "../../../core/egress/proxy.ts";

const env = { HTTP_PROXY: "http://p:1", https_proxy: "q:2", NO_PROXY: "localhost, .inner.example,other.example:8080" };

it.each([
  ["http://a.example/", "http://p:1"],
  ["https://a.example/", "http://q:2"],
  ["http://localhost/", null],
  ["http://x.inner.example/", null],
  ["http://inner.example/", null],
  ["http://notinner.example/", "http://p:1"],
  ["http://other.example:8080/", null],
  ["http://other.example/", "http://p:1"],
])("the proxy for %s is %s", (address, proxy) => {
  expect(proxyFor(new URL(address), env)).toBe(proxy);
});

it("there is no proxy without a variable or with NO_PROXY=*", () => {
  expect(proxyFor(new URL("http://a.example/"), {})).toBeNull();
  expect(proxyFor(new URL("http://a.example/"), { ALL_PROXY: "http://p:1", NO_PROXY: "*" })).toBeNull();
});

it("a proxy of another kind is used or refused, never gone around", () => {
  expect(proxyFor(new URL("http://a.example/"), { ALL_PROXY: "socks5h://p:1" })).toBe("socks5://p:1");
  expect(() => proxyFor(new URL("http://a.example/"), { ALL_PROXY: "gopher://p:1" })).toThrow(/cannot be used/);
});
