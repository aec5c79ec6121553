const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/
const ZONE = /%[\w.:-]+$/

/** The first six words of an IPv4-mapped address, and of one that a NAT64 translates (RFC 6052). */
const MAPPED = '0:0:0:0:0:65535'
const NAT64 = '100:65435:0:0:0:0'

/** The canonical text of an IP address: RFC 5952, without a zone, an IPv4-mapped address as IPv4; null for other text. */
export function parseIpAddress(text: string): string | null {
  if (IPV4.test(text)) return text
  const plain = text.replace(ZONE, '')
  const host = `http://[${plain}]`
  if (!/^[\da-f:.]+$/i.test(plain) || !URL.canParse(host)) return null
  const canonical = new URL(host).hostname.slice(1, -1)
  const words = toWords(canonical)
  return isBehind(MAPPED, words) ? toIpv4(words) : canonical
}

/** The IPv4 address that a canonical address reaches by NAT64; any other address itself. */
export function toReachedAddress(address: string): string {
  if (!address.includes(':')) return address
  const words = toWords(address)
  return isBehind(NAT64, words) ? toIpv4(words) : address
}

/** What one client has: a canonical address of IPv4, or the network of 64 bits around one of IPv6. Other text as it is. */
export function toClientNetwork(address: string): string {
  const reached = toReachedAddress(address)
  if (!reached.includes(':')) return reached
  const words = toWords(reached).slice(0, 4)
  return `${words.map((word) => word.toString(16)).join(':')}::/64`
}

/** The eight words of a canonical IPv6 address. */
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
