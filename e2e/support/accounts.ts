import { spawn } from 'node:child_process'
import { expect } from '@playwright/test'

export async function runAccess(
  dataDir: string,
  args: readonly string[],
  input = '',
): Promise<string> {
  const child = spawn(process.execPath, ['scripts/tool.mjs', 'scripts/access.ts', ...args], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(input)
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  expect(code, args.join(' ')).toBe(0)
  return text
}

type WantedToken = {
  name: string
  label: string
  may: string
  url: string
}

export async function makeToken(dataDir: string, { name, label, may, url }: WantedToken) {
  const printed = await runAccess(dataDir, ['token', name, label, '--may', may])
  const token = printed.trimEnd().split('\n').at(-1) ?? ''
  const headers = { authorization: `Bearer ${token}` }
  const ask = async () => (await fetch(`${url}/api/access/me`, { headers })).status
  await expect.poll(ask).not.toBe(401)
  return token
}

/** `token` needs the read permission. */
export async function untilFilled(url: string, token: string): Promise<void> {
  const readState = async () => {
    const headers = { authorization: `Bearer ${token}` }
    return (await (await fetch(`${url}/api/status`, { headers })).json()).data?.sync?.state
  }
  await expect.poll(readState, { timeout: 60_000 }).toBe('idle')
}

/** Returns the session cookie. */
export async function signInByForm(
  url: string,
  { name, password }: { name: string; password: string },
): Promise<string> {
  const response = await fetch(`${url}/api/access/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: url },
    body: new URLSearchParams({ name, password }),
  })
  expect(response.status, name).toBe(303)
  return (response.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
}
