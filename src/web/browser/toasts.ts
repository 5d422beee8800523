const SHOWN_MS = 8000
const CHECKED_MS = 500

/** What is said after something was done goes by itself, unless somebody is at it; a refusal stays. */
export const showToasts = (): void => {
  for (const toast of document.querySelectorAll<HTMLElement>('#done[role=status]')) {
    toast.classList.add('toast')
    let left = SHOWN_MS
    const timer = setInterval(() => {
      if (!toast.matches(':hover, :focus-within')) left -= CHECKED_MS
      if (left > 0) return
      clearInterval(timer)
      toast.remove()
    }, CHECKED_MS)
  }
}
