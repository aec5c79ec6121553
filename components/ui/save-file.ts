const KEEP_MS = 60_000

/** Hands a file to the browser's own saving. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  // Some browsers read the address only after this function has returned.
  setTimeout(() => URL.revokeObjectURL(address), KEEP_MS)
}
