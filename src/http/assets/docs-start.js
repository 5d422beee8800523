// A sandboxed page has no storage of its own, and the viewer does not start without one: this one lasts until the page is closed.
for (const name of ['localStorage', 'sessionStorage']) {
  const kept = new Map()
  const storage = {
    getItem: key => kept.get(String(key)) ?? null,
    setItem: (key, value) => void kept.set(String(key), String(value)),
    removeItem: key => void kept.delete(String(key)),
    clear: () => kept.clear(),
    key: index => [...kept.keys()][index] ?? null,
    get length() {
      return kept.size
    },
  }
  Object.defineProperty(window, name, { value: storage })
}

// Outside its frame the viewer cannot sign anybody in.
if (window.parent === window) location.replace(`/docs${location.hash}`)

// The sandbox allows no popups. The page around the viewer opens the sign-in, and this object replaces the window:
// the viewer polls its address until the response is there.
window.open = url => {
  const popup = {
    location: { href: 'about:blank' },
    closed: false,
    close: () => {
      popup.closed = true
      window.removeEventListener('message', hear)
    },
  }
  const hear = ({ source, data }) => {
    if (source === window.parent && typeof data?.answered === 'string')
      popup.location.href = `${location.origin}/docs/callback${data.answered}`
  }
  window.addEventListener('message', hear)
  window.parent.postMessage({ authorize: String(url) }, location.origin)
  return popup
}
