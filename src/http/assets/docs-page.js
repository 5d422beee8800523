// Opens the sign-in for the viewer, whose sandbox forbids it, and returns the response. The viewer can request only an
// authorization of the API reference itself.
const frame = document.getElementById('viewer')
const { clientId, callback, issuer } = frame.dataset
let pendingState

const authorizationOf = text => {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  const { searchParams: sent } = url
  const isOurs = url.origin === issuer && url.pathname === '/oauth/authorize'
  const isForViewer = sent.get('client_id') === clientId && sent.get('redirect_uri') === callback
  return isOurs && isForViewer && sent.get('state') ? url : undefined
}

// The viewer has an opaque origin, so only '*' reaches it; its frame cannot leave this origin.
const tellViewer = message => frame.contentWindow.postMessage(message, '*')

window.addEventListener('message', ({ source, data }) => {
  if (source !== frame.contentWindow || typeof data?.authorize !== 'string') return
  const url = authorizationOf(data.authorize)
  if (url === undefined) return
  pendingState = url.searchParams.get('state')
  const popup = window.open(url, '_blank', 'popup,width=800,height=700')
  if (popup === null) tellViewer({ answered: '?error=popup_blocked' })
})

new BroadcastChannel('api-reference').addEventListener('message', ({ data }) => {
  const answer = new URLSearchParams(String(data))
  // RFC 9207: the response comes from this school and has the state of the request.
  if (answer.get('iss') !== issuer || answer.get('state') !== pendingState) return
  pendingState = undefined
  tellViewer({ answered: `?${answer}` })
})

frame.src = `/docs/viewer${location.hash}`
