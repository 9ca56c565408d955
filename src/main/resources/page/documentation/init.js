// Swagger UI has its own switch for the dark, which only its larger layout shows; here the system decides, as on all pages.
const dark = matchMedia('(prefers-color-scheme: dark)')
const show = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', show)
show()

SwaggerUIBundle({
  url: '../../v1/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  defaultModelsExpandDepth: -1,
  layout: 'BaseLayout',
  // The default sends the description's address to a server of Swagger's makers.
  validatorUrl: null,
  // What is typed into "Authorize" is gone with the page.
  persistAuthorization: false
})
