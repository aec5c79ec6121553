/** A part of an address as it was meant, or as it stands where it is no proper encoding. */
export function toPathText(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
