terraform {
  required_providers {
    shelf = {
      source = "your-name/shelf"
    }
  }
}

provider "shelf" {
  url = "http://127.0.0.1:8080"
}

resource "shelf_book" "walden" {
  title = "Walden"
  pages = 352
}
