import { describe, expect, it } from "vitest";
import { isPrivateName, isPublicAddress } from "../../../core/egress/addresses.ts";

describe("an address", () => {
  it.each([
    "93.184.216.34",
    "8.8.8.8",
    "1.1.1.1",
    "2606:4700:4700::1111",
    "[2a00:1450:4001:82a::200e]",
    "64:ff9b::808:808",
    "::ffff:8.8.8.8",
  ])("is public: %s", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    "127.0.0.1",
    "127.9.9.9",
    "0.0.0.0",
    "10.0.0.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "192.0.2.1",
    "198.18.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "[::1]",
    "fe80::1%eth0",
    "fc00::1",
    "fd12::1",
    "ff02::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "2001::1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "64:ff9b::7f00:1",
    "64:ff9b::10.0.0.1",
    "::127.0.0.1",
    "not an address",
    "",
  ])("is not public: %s", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe("a name", () => {
  it.each([
    "localhost",
    "LOCALHOST.",
    "printer",
    "nas.local",
    "a.localhost",
    "db.internal",
    "box.lan",
    "router.home.arpa",
  ])("means this network: %s", (name) => {
    expect(isPrivateName(name)).toBe(true);
  });

  it.each(["example.org", "local.example.org", "localhost.example.com", "93.184.216.34"])(
    "may be anywhere: %s",
    (name) => {
      expect(isPrivateName(name)).toBe(false);
    },
  );
});
