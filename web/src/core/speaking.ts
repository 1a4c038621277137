// Choosing a language: what is kept is the one that the page came to speak.
import { problemText } from "./http";
import { language, setLanguage } from "./i18n";
import { settings } from "./settings";
import { toasts } from "./toasts";

/**
 * Speak the language that a field says, and keep it, unless another one was chosen before its words came. Where they do
 * not come that is said, and the field says again what is spoken.
 */
export async function chooseLanguage(field: HTMLSelectElement): Promise<void> {
  const code = field.value;
  try {
    await setLanguage(code);
    if (language.get() === code) settings.set({ language: code });
  } catch (error) {
    toasts.say(problemText(error), "error");
    if (field.value === code) field.value = language.get();
  }
}
