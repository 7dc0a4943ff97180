/** Which addresses lie on the public network. Everything else is this machine, its neighbours, or reserved. */
import { BlockList, isIP } from "node:net";

const v4 = new BlockList();
for (const [net, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const) {
  v4.addSubnet(net, prefix, "ipv4");
}

/** Global unicast (RFC 4291) without what is reserved within it. */
const v6Public = new BlockList();
v6Public.addSubnet("2000::", 3, "ipv6");
const v6Reserved = new BlockList();
for (const [net, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const) {
  v6Reserved.addSubnet(net, prefix, "ipv6");
}

/** Whether an IP address (v4 or v6, as text) is one that anybody on the internet may serve. */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  const family = isIP(bare);
  if (family === 4) return !v4.check(bare, "ipv4");
  if (family !== 6) return false;
  const embedded = embeddedV4(bare);
  if (embedded !== null) return isPublicAddress(embedded);
  return v6Public.check(bare, "ipv6") && !v6Reserved.check(bare, "ipv6");
}

/** Names that mean this machine or its network, whatever a name server says. */
export function isPrivateName(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, "");
  return (
    name === "localhost" ||
    /\.(?:localhost|local|internal|intranet|lan|home|home\.arpa|corp|private|onion)$/.test(name) ||
    (!name.includes(".") && isIP(name.replace(/^\[|\]$/g, "")) === 0)
  );
}

/** The IPv4 address inside a mapped (`::ffff:`) or translated (`64:ff9b::`) one. */
function embeddedV4(address: string): string | null {
  const groups = expand(address);
  if (!groups) return null;
  const mapped = groups.slice(0, 5).every((group) => group === 0) && (groups[5] === 0xffff || groups[5] === 0);
  const translated = groups[0] === 0x64 && groups[1] === 0xff9b && groups.slice(2, 6).every((group) => group === 0);
  if (!mapped && !translated) return null;
  const [high, low] = [groups[6]!, groups[7]!];
  return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
}

function expand(address: string): number[] | null {
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const text = dotted
    ? `${dotted[1]}${((Number(dotted[2]) << 8) | Number(dotted[3])).toString(16)}:${((Number(dotted[4]) << 8) | Number(dotted[5])).toString(16)}`
    : address;
  const [head = "", tail] = text.split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const gap = tail === undefined ? 0 : 8 - left.length - right.length;
  if (gap < 0) return null;
  const groups = [...left, ...Array<string>(gap).fill("0"), ...right].map((group) => Number.parseInt(group, 16));
  return groups.length === 8 && groups.every((group) => group >= 0 && group <= 0xffff) ? groups : null;
}
