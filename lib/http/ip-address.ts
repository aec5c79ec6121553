const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/
const ZONE = /%[\w.:-]+$/

/** IPv4-mapped and NAT64 prefixes (RFC 6052). */
const MAPPED = '0:0:0:0:0:65535'
const NAT64 = '100:65435:0:0:0:0'

/** RFC 5952, without zone; IPv4-mapped becomes IPv4. Null if invalid. */
export function parseIpAddress(text: string): string | null {
  if (IPV4.test(text)) return text
  const plain = text.replace(ZONE, '')
  const host = `http://[${plain}]`
  if (!/^[\da-f:.]+$/i.test(plain) || !URL.canParse(host)) return null
  const canonical = new URL(host).hostname.slice(1, -1)
  const words = toWords(canonical)
  return isBehind(MAPPED, words) ? toIpv4(words) : canonical
}

export function toReachedAddress(address: string): string {
  if (!address.includes(':')) return address
  const words = toWords(address)
  return isBehind(NAT64, words) ? toIpv4(words) : address
}

/** The IPv4 address or IPv6 /64. */
export function toClientNetwork(address: string): string {
  const reached = toReachedAddress(address)
  if (!reached.includes(':')) return reached
  const words = toWords(reached).slice(0, 4)
  return `${words.map((word) => word.toString(16)).join(':')}::/64`
}

/** The IPv4 /16 or IPv6 /32: about what one provider has. */
export function toProviderNetwork(address: string): string {
  const reached = toReachedAddress(address)
  if (!reached.includes(':')) return reached.split('.').slice(0, 2).join('.')
  return toWords(reached).slice(0, 2).join(':')
}

function toWords(address: string): number[] {
  const [front = [], back = []] = address
    .split('::')
    .map((part) => part.split(':').filter((word) => word !== ''))
  const gap = Array<string>(Math.max(0, 8 - front.length - back.length)).fill('0')
  return [...front, ...gap, ...back].map((word) => Number.parseInt(word, 16))
}

const isBehind = (prefix: string, words: readonly number[]) =>
  words.slice(0, 6).join(':') === prefix

const toIpv4 = (words: readonly number[]) =>
  words
    .slice(6)
    .flatMap((word) => [word >> 8, word & 255])
    .join('.')
