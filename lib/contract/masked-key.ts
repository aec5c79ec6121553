/**
 * Masks the API key where the service echoes it. Valid in JSON and CSV, absent from keys; the text
 * keeps its length.
 */
export const MASK_BYTE = 0x7f

export const MASK_LENGTH_MIN = 8

const MASK = String.fromCharCode(MASK_BYTE).repeat(MASK_LENGTH_MIN)
const MASKS = new RegExp(`${MASK}${String.fromCharCode(MASK_BYTE)}*`, 'g')

export const REPEATS_KEY = 'The service repeats the key in its answer.'

export const holdsMaskedKey = (text: string): boolean => text.includes(MASK)

export const toReadableMask = (text: string): string =>
  holdsMaskedKey(text) ? text.replace(MASKS, '[key]') : text
