import 'server-only'
import { closeSync, openSync, readSync } from 'node:fs'

const KEY_MAX_LENGTH = 512
export const KEY = /^[\x21-\x7e]{1,512}$/

export const BAD_KEY = 'contains a character that is invalid in a key'

/** `problem` never contains the file's text. */
export type KeyFileContents = { ok: true; key: string } | { ok: false; problem: string }

export function readKeyFile(path: string): KeyFileContents {
  const text = readStart(path)
  if (text === null) return { ok: false, problem: 'names a file that cannot be read' }
  const key = text.trim()
  if (key === '') return { ok: false, problem: 'names an empty file' }
  if (key.length > KEY_MAX_LENGTH) return { ok: false, problem: 'names a file too large for a key' }
  return KEY.test(key) ? { ok: true, key } : { ok: false, problem: `names a file that ${BAD_KEY}` }
}

/** Null if unreadable. */
function readStart(path: string): string | null {
  try {
    const file = openSync(path, 'r')
    try {
      const bytes = Buffer.alloc(4 * KEY_MAX_LENGTH)
      return bytes.toString('latin1', 0, readSync(file, bytes))
    } finally {
      closeSync(file)
    }
  } catch {
    return null
  }
}
