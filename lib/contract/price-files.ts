/** An upload of prices is no larger. */
export const PRICE_FILE_MAX_BYTES = 268_435_456
/** All uploads together. */
export const PRICE_FILES_MAX_BYTES = 1_073_741_824

/** What a file of prices may be called: one that has no symbols is named by its own, such as `BRK.B.csv` or `^SPX.csv`. */
const PRICE_FILE_NAME = /^[\p{L}\p{N}^_][\p{L}\p{N}^_ .()+=-]{0,95}\.csv$/iu

/** What a file system takes; a letter may have four. */
const NAME_MAX_BYTES = 255

export const isPriceFileName = (name: string): boolean =>
  PRICE_FILE_NAME.test(name) && new TextEncoder().encode(name).byteLength <= NAME_MAX_BYTES
