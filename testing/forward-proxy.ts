import { createServer, request as send } from 'node:http'
import { connect } from 'node:net'
import { onTestFinished } from 'vitest'
import { listenOnLoopback } from './loopback.ts'

type ForwardProxyOptions = {
  /** All requests and tunnels reach this port of loopback, whatever host they name. */
  port: number
  /** Answers all requests with this status. */
  refuses?: number
}

export type ForwardProxy = {
  url: string
  /** `GET http://a.example/`, `CONNECT a.example:443`. */
  requests: string[]
  credentials: (string | undefined)[]
}

/** A forward proxy for the absolute form and for CONNECT (RFC 9110, 7.2 and 9.3.6). */
export async function openForwardProxy({
  port,
  refuses,
}: ForwardProxyOptions): Promise<ForwardProxy> {
  const requests: string[] = []
  const credentials: (string | undefined)[] = []
  const server = createServer((request, response) => {
    const { method, url = '', headers } = request
    requests.push(`${method} ${url}`)
    credentials.push(headers['proxy-authorization'])
    if (refuses !== undefined) {
      response.writeHead(refuses, { 'proxy-authenticate': 'Basic' }).end('no')
      return
    }
    const { host, pathname, search } = new URL(url)
    const path = `${pathname}${search}`
    const onward = send({ port, host: '127.0.0.1', method, path, headers: { ...headers, host } })
    onward.on('error', () => response.destroy())
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(response)
    })
    request.pipe(onward)
  })
  server.on('connect', ({ url, headers }, socket, head) => {
    requests.push(`CONNECT ${url}`)
    credentials.push(headers['proxy-authorization'])
    if (refuses !== undefined) {
      socket.end(`HTTP/1.1 ${refuses} No\r\ncontent-length: 0\r\n\r\n`)
      return
    }
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n')
      onward.write(head)
      onward.pipe(socket).pipe(onward)
    })
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
  })
  const loopback = await listenOnLoopback(server)
  onTestFinished(loopback.close)
  return { url: `http://127.0.0.1:${loopback.port}`, requests, credentials }
}
