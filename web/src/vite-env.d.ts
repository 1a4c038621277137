/// <reference types="svelte" />
/// <reference types="vite/client" />

declare module "virtual:texts/*" {
  const texts: import("./core/i18n").Texts;
  export default texts;
}

declare module "virtual:later/*" {
  const texts: import("./core/i18n").Texts;
  export default texts;
}
