import { guardForms } from './guard.ts'
import { openMenus } from './menus.ts'
import { sendOnce } from './send-once.ts'
import { showToasts } from './toasts.ts'

sendOnce()
openMenus()
showToasts()
guardForms()
