import DefaultTheme from "vitepress/theme"
import "./colors.css"

/** VitePress asks for a default export. */
export default DefaultTheme
