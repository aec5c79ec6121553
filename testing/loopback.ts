import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'

export type Loopback = {
  port: number
  open(): number
  close(): Promise<void>
}

type ListenOptions = { port?: number; host?: string }

export async function listenOnLoopback(
  server: Server,
  { port = 0, host = '127.0.0.1' }: ListenOptions = {},
): Promise<Loopback> {
  const sockets = new Set<Socket>()
  const remember = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
  }
  server.on('connection', remember)
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  return {
    port: address.port,
    open: () => sockets.size,
    async close() {
      server.off('connection', remember)
      const closed = [...sockets].map((socket) => once(socket, 'close'))
      const freed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      await Promise.all([freed, ...closed])
    },
  }
}

/** Below the ephemeral range, so that outgoing connections do not take it. */
export async function freePort(random: () => number = Math.random): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(random() * 10_000)
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => resolve(true))
    })
    if (!isFree) continue
    await new Promise((resolve) => server.close(resolve))
    return port
  }
}
