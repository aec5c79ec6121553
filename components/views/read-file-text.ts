import { TEXT_MAX_LENGTH } from './views-text.ts'

/**
 * The text of a file. Of one that is too long for a list of views just so much is read that whoever reads it finds
 * that out; one that cannot be read is an empty text.
 */
export async function readFileText(file: Blob): Promise<string> {
  try {
    return await file.slice(0, 4 * (TEXT_MAX_LENGTH + 1)).text()
  } catch {
    return ''
  }
}
