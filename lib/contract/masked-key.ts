/**
 * What stands in the place of each byte of our key where a service repeats it. A sign that no key holds, that JSON and CSV allow
 * as it is, and that nobody writes: a dump keeps its length and its rows.
 */
export const MASK_BYTE = 0x7f

/** Shorter keys are not looked for. */
export const MASK_LENGTH_MIN = 8

const MASK = String.fromCharCode(MASK_BYTE).repeat(MASK_LENGTH_MIN)
const MASKS = new RegExp(`${MASK}${String.fromCharCode(MASK_BYTE)}*`, 'g')

export const REPEATS_KEY = 'The service repeats the key in its answer.'

/** Whether our key stood in a text. */
export const holdsMaskedKey = (text: string): boolean => text.includes(MASK)

/** A text for people to read: it says where the key stood. */
export const toReadableMask = (text: string): string =>
  holdsMaskedKey(text) ? text.replace(MASKS, '[key]') : text
