import { expect, test } from 'vitest'
import { createZoneStore, toOwnZone } from './time-zone.ts'

function createStorage() {
  const texts = new Map<string, string>()
  return {
    texts,
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, text: string) => void texts.set(key, text),
  }
}

const read = ({ load }: ReturnType<typeof createZoneStore>) => load().saved

test('is UTC until the browser’s zone is chosen, and is stored', () => {
  const storage = createStorage()
  const store = createZoneStore(() => storage)
  expect(read(store)).toBe('utc')
  expect(storage.texts.size).toBe(0)
  store.change(() => 'local')
  expect(read(createZoneStore(() => storage))).toBe('local')
  store.change(() => 'utc')
  expect(read(createZoneStore(() => storage))).toBe('utc')
})

test('follows another tab', () => {
  const storage = createStorage()
  const [mine, theirs] = [createZoneStore(() => storage), createZoneStore(() => storage)]
  expect(read(mine)).toBe('utc')
  const heard: string[] = []
  mine.subscribe(() => heard.push(read(mine)))
  for (const setting of ['local', 'utc', 'local'] as const) {
    theirs.change(() => setting)
    mine.hear()
  }
  storage.texts.clear()
  mine.hear()
  expect(heard).toEqual(['local', 'utc', 'local', 'utc'])
})

test('is UTC where the stored text is none of the two', () => {
  const storage = createStorage()
  storage.setItem('bellwether.time-zone', 'Mars/Olympus')
  expect(read(createZoneStore(() => storage))).toBe('utc')
})

test('lasts until the page closes where the browser stores nothing', () => {
  const store = createZoneStore(() => {
    throw new Error('denied')
  })
  store.change(() => 'local')
  expect(read(store)).toBe('local')
})

test('the browser’s zone is used only if it has a name', () => {
  expect(toOwnZone(undefined)).toBeNull()
  expect(toOwnZone('Etc/Unknown')).toBeNull()
  expect(toOwnZone('+05:30')).toBeNull()
  expect(toOwnZone('Etc/UTC')).toBe('UTC')
  expect(toOwnZone('Europe/Berlin')).toBe('Europe/Berlin')
})
