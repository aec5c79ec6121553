import { createRequire } from 'node:module'

/**
 * Playwright speaks WebDriver BiDi with a Firefox that is not its own, and asks of each one a command that the extended
 * support release does not know yet: what media queries say of the reader's system. Here it is answered in the place of
 * the browser, with nothing done; the colours come from a preference of the profile. Goes when a Firefox that Debian has
 * knows `emulation.setMediaFeaturesOverride`.
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

/** A socket of the package `ws`, as far as it is used here. */
type Socket = {
  send(this: Socket, data: unknown, ...rest: unknown[]): void
  emit(event: 'message', data: Buffer, isBinary: boolean): boolean
}

// The one that Playwright bundles, which is no part of what it promises; its version is exact in package.json.
function loadSocket(): { prototype: Socket } {
  return createRequire(import.meta.url)('playwright-core/lib/utilsBundle').ws
}

function toMessage(data: unknown): { id?: number; method?: string } {
  return typeof data === 'string' ? JSON.parse(data) : {}
}
