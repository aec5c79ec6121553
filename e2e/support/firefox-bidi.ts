import { createRequire } from 'node:module'

/**
 * Firefox ESR lacks `emulation.setMediaFeaturesOverride`, which Playwright sends. Remove once
 * Debian's Firefox has it.
 */
export function answerForFirefox(): void {
  if (answering) return
  answering = true
  const { prototype } = loadSocket()
  const { send } = prototype
  prototype.send = function (data, ...rest) {
    const { id, method } = toMessage(data)
    if (method !== UNKNOWN_COMMAND) return send.call(this, data, ...rest)
    const answer = JSON.stringify({ type: 'success', id, result: {} })
    setImmediate(() => this.emit('message', Buffer.from(answer), false))
  }
}

const UNKNOWN_COMMAND = 'emulation.setMediaFeaturesOverride'

let answering = false

type Socket = {
  send(this: Socket, data: unknown, ...rest: unknown[]): void
  emit(event: 'message', data: Buffer, isBinary: boolean): boolean
}

// Playwright's bundled `ws` is private; package.json pins the version.
function loadSocket(): { prototype: Socket } {
  return createRequire(import.meta.url)('playwright-core/lib/utilsBundle').ws
}

function toMessage(data: unknown): { id?: number; method?: string } {
  return typeof data === 'string' ? JSON.parse(data) : {}
}
