import { connect } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { OddRequest } from './odd-requests.ts'

/** One character is one byte. */
export type OddAnswer = {
  /** 0 if closed without a response. */
  status: number
  head: string
  headers: Readonly<Record<string, string>>
  body: string
}

const WITHIN_MS = 10_000

/** Null on timeout. By a socket, because Node's client refuses invalid HTTP. */
export function sendOdd(url: string, odd: OddRequest): Promise<OddAnswer | null> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const socket = connect({ host: hostname, port: Number(port) })
    const finish = (answer: OddAnswer | null) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(answer)
    }
    const end = () => finish(parseAnswer(Buffer.concat(chunks)))
    const timer = setTimeout(() => finish(null), WITHIN_MS)
    socket.on('error', end).on('close', end)
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      if (chunks.length < 5 && isEndless(Buffer.concat(chunks).toString('latin1'))) end()
    })
    socket.write(toText(url, odd), 'latin1')
    if (odd.length === 'short') setTimeout(() => socket.end(), 200)
  })
}

const isEndless = (head: string) => /^content-type: text\/event-stream/im.test(head)

function toText(url: string, { method, target, headers, body, length }: OddRequest): string {
  const isChunked = length === 'chunked'
  const said = {
    right: String(body.length),
    short: String(body.length + 10),
    long: String(Math.max(0, body.length - 5)),
    nonsense: '-1x',
    chunked: '',
  }[length]
  const hasHost = headers.some(([name]) => name.toLowerCase() === 'host')
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...(hasHost ? [] : [`host: ${new URL(url).host}`]),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(isChunked ? ['transfer-encoding: chunked'] : []),
    ...(!isChunked && (body !== '' || length !== 'right') ? [`content-length: ${said}`] : []),
    'connection: close',
  ]
  const sent = isChunked ? `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n` : body
  return `${lines.join('\r\n')}\r\n\r\n${sent}`
}

function parseAnswer(bytes: Buffer): OddAnswer {
  const at = bytes.indexOf('\r\n\r\n')
  if (at === -1) return { status: 0, head: '', headers: {}, body: '' }
  const head = bytes.subarray(0, at).toString('latin1')
  if (/^HTTP\/1\.1 100/.test(head)) return parseAnswer(bytes.subarray(at + 4))
  const body = bytes.subarray(at + 4)
  return toAnswer(head, /^transfer-encoding: chunked/im.test(head) ? unchunk(body) : body)
}

function unchunk(bytes: Buffer): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; ) {
    const lineEnd = bytes.indexOf('\r\n', at)
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16)
    if (lineEnd === -1 || !(size > 0)) break
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = lineEnd + 2 + size + 2
  }
  return Buffer.concat(parts)
}

function toAnswer(head: string, body: Buffer): OddAnswer {
  const [first = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => {
      const [name = '', ...value] = line.split(':')
      return [name.toLowerCase(), value.join(':').trim()]
    }),
  )
  return {
    status: Number(first.split(' ')[1] ?? 0),
    head,
    headers,
    body: decode(body, headers['content-encoding']).toString('latin1'),
  }
}

function decode(body: Buffer, encoding: string | undefined): Buffer {
  try {
    if (encoding === 'gzip') return gunzipSync(body)
    return encoding === 'br' ? brotliDecompressSync(body) : body
  } catch {
    return body
  }
}
