import { expect } from '@playwright/test'
import type { Part, Reader } from './reader.ts'

export const field: Part = { role: 'combobox', name: 'Search or filter' }
/** Retries, because keys before hydration are lost. */
export const openSearch = (reader: Reader): Promise<void> =>
  expect(async () => {
    const focus = () => reader.run(() => document.activeElement?.getAttribute('role') ?? '', null)
    if ((await focus()) !== 'combobox') await reader.press('/')
    expect(await focus()).toBe('combobox')
  }).toPass()

export const table: Part = { role: 'table', name: 'Ratings' }
/** Row 0 is the header. */
export const row = (place: number): Part => ({ role: 'row', inside: table, place: place + 1 })
export const heading = (name?: Part['name']): Part => ({ role: 'heading', name })
export const dialog = (name: Part['name']): Part => ({ role: 'dialog', name })

export const ask = <Answer>(reader: Reader, path: string): Promise<Answer> =>
  reader.run(async (asked): Promise<Answer> => await (await fetch(asked)).json(), path)

export async function countRatings(reader: Reader, search: string) {
  const answer = await ask<{ page: { total: number } }>(reader, `/api/ratings${search}`)
  const { total } = answer.page
  return { total, words: `${total.toLocaleString('en-US')} rating` }
}

type File = { status: number; disposition: string; bytes: number; lines: number; sha256: string }

export const fetchFile = (reader: Reader, path: string): Promise<File> =>
  reader.run(async (asked) => {
    const response = await fetch(asked)
    const bytes = await response.arrayBuffer()
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
    return {
      status: response.status,
      disposition: response.headers.get('content-disposition') ?? '',
      bytes: bytes.byteLength,
      lines: new TextDecoder().decode(bytes).trimEnd().split('\r\n').length,
      sha256: [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join(''),
    }
  }, path)
