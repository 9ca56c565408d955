// @ts-check
// The style sheet shows the menu on a wide screen in any case; this tells screen readers too.
const menu = /** @type {HTMLDetailsElement} */ (document.querySelector('.menu'))
const wide = matchMedia('(min-width: 52.0625rem)')
const adjust = () => { menu.open = wide.matches }
wide.addEventListener('change', adjust)
adjust()
