const KEEP_MS = 60_000

export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  document.body.append(link)
  link.click()
  link.remove()
  // Some browsers read the URL only after this function has returned.
  setTimeout(() => URL.revokeObjectURL(address), KEEP_MS)
}
