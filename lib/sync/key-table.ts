import { setImmediate as nextTurn } from 'node:timers/promises'

/** So full it may be: above that, looking for a key takes long. */
const LOAD_MAX = 2 / 3
/** So many slots are moved in a turn of the event loop. */
const MOVED_AT_ONCE = 65_536
/** No key that is not made for it collides so often. */
const PROBES_MAX = 4096

/**
 * Keys of 64 bits, and with each a value of 32 and a mark that is 0 while nobody has set it. 13 bytes a slot, so some 20
 * to 30 a key.
 */
export type KeyTable = {
  /** Makes room for so many more keys, in steps that hold up nobody. */
  reserve(count: number): Promise<void>
  /** The slot of a key, a new one where it was not there. Room for it must have been reserved. Throws RangeError. */
  put(high: number, low: number): number
  /** The slot of a key; -1 where it is not there. */
  find(high: number, low: number): number
  markOf(slot: number): number
  valueOf(slot: number): number
  /** `mark` 1 to 255. */
  set(slot: number, mark: number, value: number): void
}

type Slots = {
  capacity: number
  high: Uint32Array
  low: Uint32Array
  value: Uint32Array
  mark: Uint8Array
}

export function createKeyTable(expected: number): KeyTable {
  let slots = createSlots(expected)
  let keys = 0
  return {
    async reserve(count) {
      if (keys + count <= slots.capacity * LOAD_MAX) return
      slots = await move(slots, createSlots((keys + count) * 1.5))
    },
    put(high, low) {
      const slot = seek(slots, high, low)
      if (slots.mark[slot] !== 0) return slot
      if (keys + 1 >= slots.capacity) throw new RangeError('no room was reserved for a key')
      slots.high[slot] = high
      slots.low[slot] = low
      keys += 1
      return slot
    },
    find(high, low) {
      const slot = seek(slots, high, low)
      return slots.mark[slot] === 0 ? -1 : slot
    },
    markOf: (slot) => slots.mark[slot] ?? 0,
    valueOf: (slot) => slots.value[slot] ?? 0,
    set(slot, mark, value) {
      slots.mark[slot] = mark
      slots.value[slot] = value
    },
  }
}

function createSlots(keys: number): Slots {
  const capacity = Math.ceil(keys / LOAD_MAX) + 1024
  return {
    capacity,
    high: new Uint32Array(capacity),
    low: new Uint32Array(capacity),
    value: new Uint32Array(capacity),
    mark: new Uint8Array(capacity),
  }
}

/** Where the key is, or where it would be put. */
function seek({ capacity, high, low, mark }: Slots, ofHigh: number, ofLow: number): number {
  let slot = ofLow % capacity
  for (let probes = 0; probes < PROBES_MAX; probes += 1) {
    if (mark[slot] === 0 || (high[slot] === ofHigh && low[slot] === ofLow)) return slot
    slot = slot + 1 === capacity ? 0 : slot + 1
  }
  throw new RangeError('too many keys fall together')
}

async function move(from: Slots, to: Slots): Promise<Slots> {
  for (let slot = 0; slot < from.capacity; slot += 1) {
    if (slot % MOVED_AT_ONCE === 0) await nextTurn()
    const mark = from.mark[slot] ?? 0
    if (mark === 0) continue
    const high = from.high[slot] ?? 0
    const low = from.low[slot] ?? 0
    const target = seek(to, high, low)
    to.high[target] = high
    to.low[target] = low
    to.mark[target] = mark
    to.value[target] = from.value[slot] ?? 0
  }
  return to
}
