// The page on the API: the server writes it; this is the header that all pages share.

import { shell } from "./shell.js";

shell({ page: "/api", moves: false });
