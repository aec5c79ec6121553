/**
 * Puts text on the clipboard and says whether it got there. The clipboard's own interface exists only over HTTPS and
 * on this computer; a dashboard in a local network is reached otherwise.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.style.position = 'fixed'
  area.style.opacity = '0'
  const focused = document.activeElement
  // What stands beside an open dialog cannot be selected, and to go there would close one that is not modal.
  const place = focused?.closest('dialog, [role="dialog"]') ?? document.body
  place.append(area)
  area.select()
  const copied = document.execCommand('copy')
  area.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return copied
}
