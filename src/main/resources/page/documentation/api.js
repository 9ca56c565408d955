// @ts-check
// Swagger UI has its own switch for dark mode, which only its larger layout shows; here the system decides, as on all pages.
const dark = matchMedia('(prefers-color-scheme: dark)')
const followSystem = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', followSystem)
followSystem()

const api = /** @type {HTMLElement} */ (document.getElementById('api'))

/** @param {SwaggerSystem} system */
const parts = ({ React }) => {
  const h = React.createElement
  return {
    components: {
      // Swagger UI itself has a link inside a button here, which a screen reader cannot tell from the button.
      DeepLink: (/** @type {{ text: string }} */ { text }) => h('span', null, text),

      // Like Swagger UI's own, but that has a main element around the operations only, and this page has one around everything.
      Whole: (/** @type {SwaggerProperties} */ { getComponent, specSelectors }) => {
        const part = (/** @type {string} */ name) => h(getComponent(name, true))
        const isThere = specSelectors.loadingStatus() === 'success' && specSelectors.specStr()
        return h('div', { className: 'swagger-ui' }, isThere
          ? [
              h(getComponent('SvgAssets')),
              part('errors'),
              h('div', { className: 'wrapper' }, part('InfoContainer')),
              h('div', { className: 'scheme-container' },
                h('div', { className: 'schemes wrapper' },
                  h('div', { className: 'schemes-server-container' }, part('ServersContainer')),
                  part('AuthorizeBtnContainer'))),
              part('FilterContainer'),
              h('div', { className: 'wrapper' }, part('operations'))
            ].map((one, key) => React.cloneElement(one, { key }))
          : [
              h('p', { key: 'wait', role: 'status' },
                specSelectors.loadingStatus() === 'failed' ? 'The description cannot be loaded.' : 'Loading…'),
              React.cloneElement(part('errors'), { key: 'errors' })
            ])
      }
    }
  }
}

const ui = SwaggerUIBundle({
  url: '../../v1/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  defaultModelsExpandDepth: -1,
  layout: 'Whole',
  plugins: [parts],
  syntaxHighlight: { theme: 'tomorrow-night' },
  // The default sends the description's address to a server of Swagger's vendor.
  validatorUrl: null,
  // What is typed into "Authorize" is lost when the page closes.
  persistAuthorization: false
})

// Swagger UI reads the address only when it starts, and the search leads to other operations of this page.
addEventListener('hashchange', () => ui.layoutActions.parseDeepLinkHash(location.hash))

// Attributes for screen readers that Swagger UI lacks. It keeps attributes that it does not know.
/** @type {Record<string, string>} */
const NAMES = {
  servers: 'Server',
  'examples-select-element': 'Example',
  'content-type': 'Media type'
}

/** @param {HTMLSelectElement} select */
function name (select) {
  const known = [select.id, ...select.classList].find(word => Object.hasOwn(NAMES, word))
  select.setAttribute('aria-label', known ? NAMES[known] : 'Value')
}

new MutationObserver(() => {
  /** @type {NodeListOf<HTMLSelectElement>} */ (api.querySelectorAll('select:not([aria-label])')).forEach(name)
}).observe(api, { childList: true, subtree: true })
