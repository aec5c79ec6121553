export const PRICE_FILE_MAX_BYTES = 268_435_456
export const PRICE_FILES_MAX_BYTES = 1_073_741_824

/** A file without a symbol column is named after its symbol: `BRK.B.csv`, `^SPX.csv`. */
const PRICE_FILE_NAME = /^[\p{L}\p{N}^_][\p{L}\p{N}^_ .()+=-]{0,95}\.csv$/iu

const NAME_MAX_BYTES = 255

export const isPriceFileName = (name: string): boolean =>
  PRICE_FILE_NAME.test(name) && new TextEncoder().encode(name).byteLength <= NAME_MAX_BYTES
