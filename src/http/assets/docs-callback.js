// Only pages of this origin receive this message: the API reference in the window that began the sign-in.
new BroadcastChannel('api-reference').postMessage(location.search)
history.replaceState(null, '', location.pathname)
window.close()
