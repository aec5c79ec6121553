import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { freePort } from '#testing/loopback.ts'
import { READER } from './reader.ts'

/**
 * For WebKitWebDriver: Playwright drives only its own WebKit. https://www.w3.org/TR/webdriver2/
 */
export type WebDriver = {
  start(): Promise<WebDriverSession>
  stop(): Promise<void>
}

export type WebDriverSession = {
  open(url: string): Promise<void>
  back(): Promise<void>
  /** Outer size in px. */
  resize(width: number, height: number): Promise<void>
  run<Given>(script: string, ...taken: unknown[]): Promise<Given>
  find(script: string, ...taken: unknown[]): Promise<string | null>
  click(element: string): Promise<void>
  clear(element: string): Promise<void>
  type(element: string, text: string): Promise<void>
  textOf(element: string): Promise<string>
  attribute(element: string, name: string): Promise<string>
  press(keys: readonly string[]): Promise<void>
  picture(): Promise<Buffer>
  end(): Promise<void>
}

const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'

const KEYS: Record<string, string> = {
  Backspace: '\uE003',
  Tab: '\uE004',
  Enter: '\uE007',
  Shift: '\uE008',
  Control: '\uE009',
  Alt: '\uE00A',
  Escape: '\uE00C',
  End: '\uE010',
  Home: '\uE011',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
}

export async function startWebDriver(path: string, xvfb: string | null): Promise<WebDriver> {
  const screen = xvfb ? await startScreen(xvfb) : null
  const config = makeConfig()
  const port = await freePort()
  const env = {
    ...process.env,
    ...(screen ? { DISPLAY: screen.name, WAYLAND_DISPLAY: '', GDK_BACKEND: 'x11' } : {}),
    TZ: READER.timezoneId,
    LANG: `${READER.locale.replace('-', '_')}.UTF-8`,
    LANGUAGE: READER.locale.replace('-', '_'),
    LIBGL_ALWAYS_SOFTWARE: '1',
    XDG_CONFIG_HOME: config,
  }
  const child = spawn(path, [`--port=${port}`], { env, stdio: 'ignore' })
  const call = createCall(`http://127.0.0.1:${port}`)
  await untilReady(call, child)
  return {
    start: async () => {
      const { sessionId } = session.parse(await call('POST', '/session', { capabilities: {} }))
      const base = `/session/${sessionId}`
      return toSession((method, name, body) => call(method, name ? `${base}/${name}` : base, body))
    },
    stop: async () => {
      await end(child)
      if (screen) await end(screen.child)
      rmSync(config, { recursive: true, force: true })
    },
  }
}

type Call = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>

const createCall =
  (url: string): Call =>
  async (method, path, body) => {
    const response = await fetch(url + path, { method, body: body && JSON.stringify(body) })
    const { value } = answer.parse(await response.json())
    if (response.ok) return value
    const { error, message } = failure.parse(value)
    throw new Error(`${error}: ${message}`)
  }

const answer = z.object({ value: z.unknown() })
const failure = z.object({ error: z.string(), message: z.string() })
const session = z.object({ sessionId: z.string() })
const reference = z.nullable(z.object({ [ELEMENT]: z.string() }))

function toSession(call: Call): WebDriverSession {
  const toArgument = (one: unknown) =>
    typeof one === 'string' && one.startsWith('node-') ? { [ELEMENT]: one } : one
  const run = (script: string, taken: unknown[]) =>
    call('POST', 'execute/sync', { script, args: taken.map(toArgument) })
  const text = async (path: string) => z.string().parse((await call('GET', path)) ?? '')
  return {
    open: async (url) => void (await call('POST', 'url', { url })),
    back: async () => void (await call('POST', 'back', {})),
    resize: async (width, height) => void (await call('POST', 'window/rect', { width, height })),
    run: async <Given>(script: string, ...taken: unknown[]) => (await run(script, taken)) as Given,
    find: async (script, ...taken) => reference.parse(await run(script, taken))?.[ELEMENT] ?? null,
    click: async (element) => void (await call('POST', `element/${element}/click`, {})),
    clear: async (element) => void (await call('POST', `element/${element}/clear`, {})),
    type: async (element, typed) =>
      void (await call('POST', `element/${element}/value`, { text: typed })),
    // WebDriver's own text omits clipped content.
    textOf: async (element) =>
      z.string().parse(await run('return arguments[0].innerText', [element])),
    // WebDriver returns absolute URLs.
    attribute: async (element, name) =>
      z
        .string()
        .parse(await run('return arguments[0].getAttribute(arguments[1])', [element, name])),
    press: async (keys) => {
      const values = keys.map((key) => KEYS[key] ?? key)
      const actions = [
        ...values.map((value) => ({ type: 'keyDown', value })),
        ...values.toReversed().map((value) => ({ type: 'keyUp', value })),
      ]
      await call('POST', 'actions', { actions: [{ type: 'key', id: 'keyboard', actions }] })
    },
    picture: async () => Buffer.from(await text('screenshot'), 'base64'),
    end: async () => void (await call('DELETE', '')),
  }
}

const READY_WITHIN_MS = 10_000

async function untilReady(call: Call, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS
  while (performance.now() < deadline && child.exitCode === null) {
    if (await call('GET', '/status').catch(() => null)) return
    await sleep(50)
  }
  await end(child)
  throw new Error('The WebDriver did not start.')
}

/** GTK's default header bar is wider than a phone. */
function makeConfig(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bellwether-gtk-'))
  mkdirSync(join(folder, 'gtk-3.0'))
  const rule =
    '* { min-width: 0; padding: 0; margin: 0; font-size: 1px; -gtk-icon-transform: scale(0.1); }'
  writeFileSync(join(folder, 'gtk-3.0/gtk.css'), rule)
  return folder
}

/** Xvfb picks a free display number. */
async function startScreen(path: string): Promise<{ name: string; child: ChildProcess }> {
  const args = ['-displayfd', '1', '-screen', '0', '1600x1200x24', '-nolisten', 'tcp']
  const child = spawn(path, args, { stdio: ['ignore', 'pipe', 'ignore'] })
  const [said] = await once(child.stdout, 'data')
  return { name: `:${String(said).trim()}`, child }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}
